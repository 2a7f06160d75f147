const { byHand } = require('./by-hand')
const { byJsonApiSerializer, byTsJapi } = require('./of-npm')

/** A way from entities to documents. */
exports.createSerializer = (name) =>
  ({ 'by hand': byHand, 'json-api-serializer': byJsonApiSerializer, 'ts-japi': byTsJapi })[name]()
