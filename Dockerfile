# By digest, of the image for all platforms: a tag may be moved. Dependabot proposes newer ones.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && mkdir /empty

# glibc, CA certificates and zone data; no shell
FROM gcr.io/distroless/cc-debian12:latest@sha256:6e1871c34683dc9ee996d13084497783fd98ac0200213d0826625f4e9d4be1d0
LABEL org.opencontainers.image.title="peal" \
      org.opencontainers.image.description="Self-hosted notifications and check-ins in one binary" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /src/dist/peal /peal
COPY --from=build --chown=1000:1000 /empty /data
ENV PEAL_DATA_DIR=/data
USER 1000:1000
VOLUME /data
EXPOSE 7325
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["/peal", "health"]
ENTRYPOINT ["/peal"]
CMD ["serve"]
