import { judge, runProgram } from '../shared/program'
import { createStormProgram, readOptions } from './options'
import { runStorm } from './run'

// `npm run storm -- --topology processes --database postgres --rounds 20`. `--help` and ../README.md have the rest.

runProgram(async (args) => {
  const program = createStormProgram()
  const options = readOptions(program, args)
  const report = await runStorm({ ...options, print: console.log })
  judge(program, report, {
    name: 'storm',
    unit: 'writes',
    count: options.count,
    requiredKinds: [
      ...options.faults,
      ...(options.faults.includes('kill-process') ? LOST_RESPONSES : []),
      'repeated after a response',
      'transfers 200',
    ],
  })
})

const LOST_RESPONSES = ['without a response, not executed', 'repeated without a response']
