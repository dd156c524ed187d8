#!/bin/sh
# Makes a container (LXC) with Debian 12 and peal in it. Run it as root on a Proxmox VE host, in a folder with the two files
# peal (the program for Linux) and peal.service. Set what should differ: ID=123 STORAGE=local-zfs sh proxmox-lxc.sh
set -eu

ID=${ID:-$(pvesh get /cluster/nextid)}
STORAGE=${STORAGE:-local-lvm} # for the container's disk
TEMPLATES=${TEMPLATES:-local} # where templates are kept
BRIDGE=${BRIDGE:-vmbr0}

for file in peal peal.service; do
  [ -f "$file" ] || { echo "There is no file $file in $(pwd)." >&2; exit 1; }
done

pveam update
template=$(pveam available --section system | awk '/debian-12-standard/ { name = $2 } END { print name }')
[ -n "$template" ] || { echo "Proxmox offers no template debian-12-standard." >&2; exit 1; }
pveam list "$TEMPLATES" | grep -qF "$template" || pveam download "$TEMPLATES" "$template"

# nesting lets systemd make the sandbox that the unit asks for
pct create "$ID" "$TEMPLATES:vztmpl/$template" --hostname peal --unprivileged 1 --features nesting=1 --onboot 1 \
  --cores 1 --memory 512 --swap 0 --rootfs "$STORAGE:8" --net0 "name=eth0,bridge=$BRIDGE,ip=dhcp,ip6=auto"
pct start "$ID"
pct push "$ID" peal /usr/local/bin/peal --perms 755
pct push "$ID" peal.service /etc/systemd/system/peal.service --perms 644
pct exec "$ID" -- systemctl enable --now peal
pct exec "$ID" -- journalctl --unit peal --output cat --no-pager
