import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

/** Resolves once a condition is true: `await until('a request waits', () => held.length > 0)`. Throws an error with these words after ten seconds. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Not true after ten seconds: ${what}. Check the step that should cause it.`)
    await wait(5)
  }
}

/** Resolves after as many turns of the event loop as a request needs until it waits for something other than the process. */
export async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 50; turns += 1) await nextTurn()
}
