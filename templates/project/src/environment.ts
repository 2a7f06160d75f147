import { existsSync } from 'node:fs'

// Reads the variables in `.env`, if it exists. Those of the environment have precedence. Tests have settings of their own.
if (process.env.NODE_ENV !== 'test' && existsSync('.env')) process.loadEnvFile()

/** Throws if the application can't run with its variables. Only `main.ts` calls it: tests and `npm run check` need none. */
export function assertEnvironment(): void {}
