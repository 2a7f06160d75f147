// A program of a user: CommonJS.
const stemma = require('stemma')
const testing = require('stemma/testing')

if (typeof stemma.createJsonApi !== 'function') throw new Error('createJsonApi is missing.')
if (typeof testing.lintExchange !== 'function') throw new Error('lintExchange is missing.')
module.exports = { stemma, testing }
