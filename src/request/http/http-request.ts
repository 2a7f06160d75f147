import type { Deadline } from './deadline'

/** A request independent of Express. Nothing is decoded or parsed yet. */
export interface HttpRequest extends RequestHead {
  /** The result of the option `context`, such as the user. */
  readonly context: unknown
  /** `undefined`: no body was sent. */
  readonly body: Uint8Array | undefined
  /** The time limit; `undefined`: none. */
  readonly deadline: Deadline | undefined
}

/** A request before its body is read. */
export interface RequestHead {
  readonly method: string
  /** Returns scheme and host as the client knows them: `https://api.example.com`; `undefined` if unknown. */
  readonly findOrigin: () => string | undefined
  /** The mount path of the API as it was sent: `''` or `/prefix`. */
  readonly mountPath: string
  /** The path below the mount path, percent-encoded as it was sent. */
  readonly path: string
  /** As it was sent, without the question mark; `''` if there is none. */
  readonly queryString: string
  /** By lower-case name; several headers of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
}
