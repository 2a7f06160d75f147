// biome-ignore lint/suspicious/noExplicitAny: tests read any part of a document
export type Any = any
