// The server serves the files of the package there, so that a browser finds them without an import map.
export * from '@fastify-accounts/client'
