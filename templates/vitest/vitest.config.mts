import { defineConfig } from 'vitest/config'

/** Vitest reads `experimentalDecorators` from tsconfig.json. It checks no types: `npm run build` does. */
export default defineConfig({
  test: { globals: true, include: ['test/**/*.test.ts'], setupFiles: ['reflect-metadata'] },
})
