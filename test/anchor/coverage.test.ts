import { LEFT_OUT } from './left-out'
import { expectCovered } from './support/coverage'
import { READING_RULES } from './support/reading-rules'

expectCovered(__dirname, READING_RULES, LEFT_OUT)
