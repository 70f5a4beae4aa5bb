const KiB = 1024
const MiB = 1024 * KiB

/** Limits that callers are held to, in bytes and rows. `GET /portal-api/v1/limits` tells them to scripts. */
export const limits = {
  /** A chart package, packed. */
  uploadBytes: 10 * MiB,
  /** A values document. */
  valuesBytes: 512 * KiB,
  /** A kubeconfig. */
  kubeconfigBytes: 256 * KiB,
  /** Rows of one page of a list. */
  pageRows: 1000,
} as const

/** How many tags a thing has at most. */
export const mostTags = 30

/** Longest texts in characters: what the schemas accept, and what the fields of the browser let somebody type. */
export const longest = {
  /** Name of an app, a space, a cluster or a preset. */
  displayName: 80,
  /** Name of a role that a tenant defines for its spaces. */
  roleName: 60,
  /** Id of a service account. */
  clientId: 63,
  /** Sentence about an app or a service account. */
  shortDescription: 200,
  /** Paragraph about a space or a role. */
  description: 400,
  /** Description of an app. */
  appDescription: 4000,
  /** Reason, note or answer that somebody gives. */
  note: 500,
} as const
