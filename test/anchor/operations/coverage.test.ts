import { expectCovered } from '../support/coverage'
import { LEFT_OUT } from './left-out'
import { OPERATION_RULES } from './support/operation-rules'

expectCovered(__dirname, OPERATION_RULES, LEFT_OUT)
