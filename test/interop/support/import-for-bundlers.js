// For packages that are made for bundlers alone: modules that leave out the ends of file names, and don't say that they are modules.
const { register } = require('node:module')

const hooks = `
  const OPEN = /^(lodash\\/|\\.\\/)[\\w-]+$/
  const isForBundlers = (url) => url?.includes('/jsonapi-vuex/src/')
  export const resolve = (name, context, next) =>
    next(isForBundlers(context.parentURL) && OPEN.test(name) ? name + '.js' : name, context)
  export const load = (url, context, next) => next(url, isForBundlers(url) ? { ...context, format: 'module' } : context)
`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

exports.importForBundlers = (name) => import(name)
