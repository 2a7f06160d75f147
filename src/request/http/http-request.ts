import type { Deadline } from './deadline'

/** A request as it came in, without Express: nothing is decoded or read yet. */
export interface HttpRequest extends RequestHead {
  /** What the application made of the request: who is asking. */
  readonly context: unknown
  /** `undefined`: no body was sent. */
  readonly body: Uint8Array | undefined
  /** Until when it is to have its answer; `undefined`: as long as it takes. */
  readonly deadline: Deadline | undefined
}

/** What is known of a request before its body is read. */
export interface RequestHead {
  readonly method: string
  /** Scheme and host as the client has them: `https://api.example.com`; `undefined` where they can't be known. */
  readonly findOrigin: () => string | undefined
  /** Where the API is mounted: `''` or `/prefix`, as it was sent. */
  readonly mountPath: string
  /** The path below the mount path, percent-encoded as it was sent. */
  readonly path: string
  /** Without the question mark, as it was sent; `''` where there is none. */
  readonly queryString: string
  /** By lower-case name; several headers of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
}
