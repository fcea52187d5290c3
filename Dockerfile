# One image for all of Bindery's processes; the command chooses: api/server.ts, auth/server.ts, workers/main.ts or
# scripts/migrate.ts. There is no build step: Node runs the TypeScript.
# The Node that the tests run on, of package.json.
FROM node:24.21.0-bookworm-slim AS base

FROM base AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --no-audit --no-fund --omit=dev
# Of the typefaces, the weights and the formats that are printed (decisions/0110, 0180).
RUN find node_modules/@fontsource/*/files -type f ! -name '*-[47]00-normal.woff2' ! -name '*-400-normal.woff' -delete

FROM base
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json config.ts LICENSE ./
COPY config config
COPY domain domain
COPY contracts contracts
COPY db db
COPY providers providers
COPY plans plans
COPY activities activities
COPY workflows workflows
COPY workers workers
COPY http http
COPY api api
COPY auth auth
COPY scripts scripts
# What the api shows beside its reference.
COPY CHANGELOG.md ./
COPY docs/*.md docs/
COPY docs/guides docs/guides
# Where files lie that requests have brought, until the requests end.
RUN mkdir -m 700 .data && chown node:node .data
USER node
ENTRYPOINT ["node"]
CMD ["api/server.ts"]
