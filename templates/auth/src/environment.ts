import { existsSync } from 'node:fs'

// Reads the variables in `.env`, if it exists. Those of the environment have precedence. Tests have settings of their own.
if (process.env.NODE_ENV !== 'test' && existsSync('.env')) process.loadEnvFile()

/** Throws if the application can't run with its variables. Only `main.ts` calls it: tests and `npm run check` need none. */
export function assertEnvironment(): void {
  readTokenSecret()
}

/** Returns the secret that signs tokens. */
export function readTokenSecret(): string {
  const secret = process.env.TOKEN_SECRET ?? ''
  if (secret.length >= 16) return secret
  const mistake = secret === '' ? 'is not set' : 'has fewer than 16 characters'
  throw new Error(
    `TOKEN_SECRET ${mistake}. It is read from the environment and from .env in ${process.cwd()}. Set it there to random characters, as of: openssl rand -hex 32`,
  )
}
