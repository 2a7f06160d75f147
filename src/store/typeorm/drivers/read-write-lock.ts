/** Runs any number of shared tasks or one exclusive task at a time, in the order of the calls. */
export class ReadWriteLock {
  private readonly waiting: LockRequest[] = []
  private sharedCount = 0
  private isLocked = false

  shared<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.withLock('shared', work)
  }

  exclusive<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.withLock('exclusive', work)
  }

  private async withLock<Value>(kind: LockRequest['kind'], work: () => Promise<Value>): Promise<Value> {
    if (this.waiting.length > 0 || !this.canAcquire(kind)) {
      await new Promise<void>((enter) => this.waiting.push({ kind, enter }))
    } else {
      this.acquire(kind)
    }
    try {
      return await work()
    } finally {
      this.release(kind)
    }
  }

  private canAcquire(kind: LockRequest['kind']): boolean {
    return !this.isLocked && (kind === 'shared' || this.sharedCount === 0)
  }

  private acquire(kind: LockRequest['kind']): void {
    if (kind === 'shared') this.sharedCount += 1
    else this.isLocked = true
  }

  private release(kind: LockRequest['kind']): void {
    if (kind === 'shared') this.sharedCount -= 1
    else this.isLocked = false
    for (let next = this.waiting[0]; next !== undefined && this.canAcquire(next.kind); next = this.waiting[0]) {
      this.waiting.shift()
      this.acquire(next.kind)
      next.enter()
    }
  }
}

interface LockRequest {
  readonly kind: 'shared' | 'exclusive'
  readonly enter: () => void
}
