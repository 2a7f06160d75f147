import type { AskInTerminal } from './command'
import { FRAMEWORKS, type NewProjectOptions, SCAFFOLD_DATABASES, TEST_RUNNERS } from './write-project'

/** Asks what a new project is made of. An empty answer is the default, which is the first choice. */
export async function askForProject(ask: AskInTerminal): Promise<Omit<NewProjectOptions, 'name'>> {
  return {
    database: await choose(ask, 'Database', SCAFFOLD_DATABASES),
    tests: await choose(ask, 'Test runner', TEST_RUNNERS),
    framework: await choose(ask, 'Framework', FRAMEWORKS),
    auth: (await choose(ask, 'Example of authentication', NO_OR_YES)) === 'yes',
    migrations: (await choose(ask, 'Migrations', NO_OR_YES)) === 'yes',
  }
}

const NO_OR_YES = ['no', 'yes'] as const

/** Repeats the question until the answer is a choice, or the beginning of one. */
async function choose<Choice extends string>(
  ask: AskInTerminal,
  what: string,
  choices: readonly [Choice, ...Choice[]],
): Promise<Choice> {
  const answer = (await ask(`${what} (${choices.join(', ')}) [${choices[0]}]: `)).trim().toLowerCase()
  const chosen = choices.find((choice) => choice.startsWith(answer))
  return chosen ?? choose(ask, what, choices)
}
