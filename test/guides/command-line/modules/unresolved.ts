import { pathToFileURL } from 'node:url'

// Fails like an import without an extension in a process without a loader for TypeScript.
throw Object.assign(new Error('Cannot find module'), {
  code: 'ERR_MODULE_NOT_FOUND',
  url: pathToFileURL(`${__dirname}/tea`).href,
})
