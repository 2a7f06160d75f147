import type { ObservedEndpoint, ObservedRequestStart, RequestObserver, RequestPhase } from './request-observer'

/** Runs a statement and reports it. */
export type RunObservedStatement = <Result>(text: string, run: () => Promise<Result>) => Promise<Result>

/** Starts the observation of a request. */
export type StartRequestObservation = (head: ObservedRequestStart) => RequestObservation

/**
 * The observation of one request. The modules report their steps to it; it adds the time and informs the observers. Exists only if the API
 * has observers.
 */
export class RequestObservation {
  /** Emptied at the end: later events of an aborted request are dropped. */
  private observers: readonly RequestObserver[]
  private readonly startedAt = performance.now()
  private readonly spent: Record<RequestPhase, number> = { receive: 0, parse: 0, plan: 0, database: 0, document: 0 }
  private phase: RequestPhase = 'receive'
  private enteredAt = this.startedAt
  private statements = 0

  constructor(observers: readonly RequestObserver[]) {
    this.observers = observers
    for (const observer of observers) observer.entered?.(this.phase, this.startedAt)
  }

  /** Runs work of the request, so that spans started in it become children. */
  within<Value>(work: () => Value): Value {
    const wrap = (inner: () => Value, observer: RequestObserver): (() => Value) =>
      observer.within === undefined ? inner : () => observer.within?.(inner) as Value
    return this.observers.reduce(wrap, work)()
  }

  match(endpoint: ObservedEndpoint): void {
    for (const observer of this.observers) observer.matched?.(endpoint)
  }

  /** Ends the current phase and starts another one. */
  enter(phase: RequestPhase): void {
    if (phase === this.phase) return
    const at = performance.now()
    this.spent[this.phase] += at - this.enteredAt
    this.enteredAt = at
    this.phase = phase
    for (const observer of this.observers) observer.entered?.(phase, at)
  }

  /** Runs a phase inside another one. */
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
    for (const observer of this.observers) observer.planned?.(print)
  }

  /** An arrow function, because it is passed on without its object. */
  readonly statement: RunObservedStatement = async (text, run) => {
    this.statements += 1
    const from = performance.now()
    try {
      const result = await run()
      this.reportStatement({ text, from })
      return result
    } catch (error) {
      this.reportStatement({ text, from, error })
      throw error
    }
  }

  private reportStatement(statement: { readonly text: string; readonly from: number; readonly error?: unknown }): void {
    const ran = { to: performance.now(), ...statement }
    for (const observer of this.observers) observer.ran?.(ran)
  }

  /** Runs one operation of an atomic request. */
  async operation<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const began = performance.now()
    for (const observer of this.observers) observer.operationBegan?.(name, began)
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
    for (const observer of this.observers) observer.operationEnded?.(at, error)
  }

  fail(error: unknown): void {
    for (const observer of this.observers) observer.failed?.(error)
  }

  end(status: number): void {
    const { startedAt, statements } = this
    const at = performance.now()
    for (const observer of this.observers) observer.ended?.({ status, startedAt, at, statements })
    this.observers = []
  }

  /** Returns the durations so far, in milliseconds. */
  times(): RequestTimings {
    const now = performance.now()
    const spent = { ...this.spent, [this.phase]: this.spent[this.phase] + now - this.enteredAt }
    return { spent, total: now - this.startedAt, statements: this.statements }
  }
}

/** Durations of a request by phase. */
export interface RequestTimings {
  readonly spent: Readonly<Record<RequestPhase, number>>
  readonly total: number
  readonly statements: number
}
