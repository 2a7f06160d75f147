import { expectCovered } from '../support/coverage'
import { LEFT_OUT } from './left-out'
import { WRITING_RULES } from './support/writing-rules'

expectCovered(__dirname, WRITING_RULES, LEFT_OUT)
