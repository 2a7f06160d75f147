/** Lets in any number of shared works, or one exclusive work, in the order in which they came. */
export class Gate {
  private readonly waiting: Waiting[] = []
  private sharing = 0
  private isTaken = false

  shared<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.pass('shared', work)
  }

  exclusive<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.pass('exclusive', work)
  }

  private async pass<Value>(kind: Waiting['kind'], work: () => Promise<Value>): Promise<Value> {
    if (this.waiting.length > 0 || !this.hasRoomFor(kind)) {
      await new Promise<void>((enter) => this.waiting.push({ kind, enter }))
    } else {
      this.take(kind)
    }
    try {
      return await work()
    } finally {
      this.leave(kind)
    }
  }

  private hasRoomFor(kind: Waiting['kind']): boolean {
    return !this.isTaken && (kind === 'shared' || this.sharing === 0)
  }

  private take(kind: Waiting['kind']): void {
    if (kind === 'shared') this.sharing += 1
    else this.isTaken = true
  }

  private leave(kind: Waiting['kind']): void {
    if (kind === 'shared') this.sharing -= 1
    else this.isTaken = false
    for (let next = this.waiting[0]; next !== undefined && this.hasRoomFor(next.kind); next = this.waiting[0]) {
      this.waiting.shift()
      this.take(next.kind)
      next.enter()
    }
  }
}

interface Waiting {
  readonly kind: 'shared' | 'exclusive'
  readonly enter: () => void
}
