import { existsSync } from 'node:fs'

// Reads the variables in `.env`, if it exists. Those of the environment have precedence. Tests have settings of their own.
if (process.env.NODE_ENV !== 'test' && existsSync('.env')) process.loadEnvFile()
