# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && mkdir /empty

# glibc, CA certificates and zone data; no shell
FROM gcr.io/distroless/cc-debian12
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
