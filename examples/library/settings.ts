import { randomBytes } from 'node:crypto'

const isProduction = process.env.NODE_ENV === 'production'

/** The configuration, from environment variables. */
export const settings = {
  isProduction,
  port: Number(process.env.PORT || 3002),
  /** `postgres://…`, or the path of an SQLite file. */
  databaseUrl: process.env.DATABASE_URL || ':memory:',
  tokenSecret: readSecret('TOKEN_SECRET'),
  etagSecret: readSecret('ETAG_SECRET'),
}

/** Without the variable, a secret is random. In production this is an error, since all processes must share it. */
function readSecret(name: string): string {
  const secret = process.env[name]
  if (!secret && !isProduction) return randomBytes(32).toString('hex')
  if (secret && secret.length >= 16) return secret
  const mistake = secret ? 'has fewer than 16 characters' : 'is not set'
  throw new Error(`${name} ${mistake}. Create a secret: openssl rand -hex 32`)
}
