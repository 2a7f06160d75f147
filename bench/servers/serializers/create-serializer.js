const { byHand } = require('./by-hand')
const { byJsonApiSerializer, byTsJapi } = require('./packages')

/** Returns the serializer of this name. It converts entities to documents. */
exports.createSerializer = (name) =>
  ({ 'by hand': byHand, 'json-api-serializer': byJsonApiSerializer, 'ts-japi': byTsJapi })[name]()
