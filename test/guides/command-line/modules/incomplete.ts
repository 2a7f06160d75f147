require('./none')
