// A program of a user: CommonJS.
const stemma = require('stemma')

if (typeof stemma.createJsonApi !== 'function') throw new Error('createJsonApi is missing.')
module.exports = stemma
