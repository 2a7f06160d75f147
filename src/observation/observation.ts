import type { ObservedEndpoint, ObservedHead, Observer, RequestPhase } from './observer'

/** Runs a statement, and tells of it. */
export type ObserveStatement = <Result>(text: string, run: () => Promise<Result>) => Promise<Result>

/** Starts to look at a request. */
export type Observe = (head: ObservedHead) => Observation

/**
 * One request under observation: the rooms report to it what they do, it looks at the clock, and tells the observers. There is none where
 * nobody observes.
 */
export class Observation {
  /** Until the end: what a request that was given up does later is told to nobody. */
  private listening: readonly Observer[]
  private readonly startedAt = performance.now()
  private readonly spent: Record<RequestPhase, number> = { receive: 0, parse: 0, plan: 0, database: 0, document: 0 }
  private phase: RequestPhase = 'receive'
  private enteredAt = this.startedAt
  private statements = 0

  constructor(observers: readonly Observer[]) {
    this.listening = observers
    for (const observer of observers) observer.entered?.(this.phase, this.startedAt)
  }

  /** Runs work of the request, so that what it calls belongs to it. */
  within<Value>(work: () => Value): Value {
    const inward = (inner: () => Value, observer: Observer): (() => Value) =>
      observer.within === undefined ? inner : () => observer.within?.(inner) as Value
    return this.listening.reduce(inward, work)()
  }

  match(endpoint: ObservedEndpoint): void {
    for (const observer of this.listening) observer.matched?.(endpoint)
  }

  /** The phase before is over. */
  enter(phase: RequestPhase): void {
    if (phase === this.phase) return
    const at = performance.now()
    this.spent[this.phase] += at - this.enteredAt
    this.enteredAt = at
    this.phase = phase
    for (const observer of this.listening) observer.entered?.(phase, at)
  }

  /** A phase in the midst of another one. */
  async during<Value>(phase: RequestPhase, work: () => Promise<Value>): Promise<Value> {
    const outer = this.phase
    this.enter(phase)
    try {
      return await work()
    } finally {
      this.enter(outer)
    }
  }

  plan(print: () => string): void {
    for (const observer of this.listening) observer.planned?.(print)
  }

  /** A function of its own: it is handed on. */
  readonly statement: ObserveStatement = async (text, run) => {
    this.statements += 1
    const from = performance.now()
    try {
      const result = await run()
      this.tellRan({ text, from })
      return result
    } catch (error) {
      this.tellRan({ text, from, error })
      throw error
    }
  }

  private tellRan(statement: { readonly text: string; readonly from: number; readonly error?: unknown }): void {
    const ran = { to: performance.now(), ...statement }
    for (const observer of this.listening) observer.ran?.(ran)
  }

  /** One of several writes. */
  async operation<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const began = performance.now()
    for (const observer of this.listening) observer.operationBegan?.(name, began)
    try {
      const value = await this.within(work)
      this.endOperation()
      return value
    } catch (error) {
      this.endOperation(error)
      throw error
    }
  }

  private endOperation(error?: unknown): void {
    const at = performance.now()
    for (const observer of this.listening) observer.operationEnded?.(at, error)
  }

  fail(error: unknown): void {
    for (const observer of this.listening) observer.failed?.(error)
  }

  end(status: number): void {
    const { startedAt, statements } = this
    const at = performance.now()
    for (const observer of this.listening) observer.ended?.({ status, startedAt, at, statements })
    this.listening = []
  }

  /** Until now, in milliseconds. */
  times(): Times {
    const now = performance.now()
    const spent = { ...this.spent, [this.phase]: this.spent[this.phase] + now - this.enteredAt }
    return { spent, total: now - this.startedAt, statements: this.statements }
  }
}

/** Where the time of a request has gone. */
export interface Times {
  readonly spent: Readonly<Record<RequestPhase, number>>
  readonly total: number
  readonly statements: number
}
