export interface StatusCause {
  reason?: string
  message: string
  field?: string
}

interface StatusDetails {
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: StatusCause[]
  retryAfterSeconds?: number
}

/** The wire form of every failure. */
interface KubeStatus {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: Record<string, never>
  status: 'Failure'
  message: string
  reason: string
  details?: StatusDetails
  code: number
}

/** A refusal as Kubernetes words it; whatever throws one answers the request with it. */
export class KubeError extends Error {
  readonly code: number
  readonly reason: string
  readonly details: StatusDetails | undefined

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message)
    this.code = code
    this.reason = reason
    this.details = details
  }

  toStatus(): KubeStatus {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(this.details ? { details: this.details } : {}),
      code: this.code,
    }
  }
}

/** Subject of an error: group and plural resource (or kind, for Invalid). */
export interface Subject {
  group: string
  resource: string
}

const qualified = ({ group, resource }: Subject) => (group ? `${resource}.${group}` : resource)

const detailsOf = ({ group, resource }: Subject, name?: string): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(group ? { group } : {}),
  kind: resource,
})

export const notFound = (about: Subject, name: string) =>
  new KubeError(404, 'NotFound', `${qualified(about)} ${JSON.stringify(name)} not found`, detailsOf(about, name))

export const unknownPath = () => new KubeError(404, 'NotFound', 'the server could not find the requested resource', {})

export const alreadyExists = (about: Subject, name: string, isGoing = false) =>
  new KubeError(
    409,
    'AlreadyExists',
    `${isGoing ? 'object is being deleted: ' : ''}${qualified(about)} ${JSON.stringify(name)} already exists`,
    detailsOf(about, name),
  )

export const conflict = (about: Subject, name: string, why: string) =>
  new KubeError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(about)} ${JSON.stringify(name)}: ${why}`,
    detailsOf(about, name),
  )

export const staleVersion = (about: Subject, name: string) =>
  conflict(about, name, 'the object has been modified; please apply your changes to the latest version and try again')

export const forbidden = (about: Subject, name: string, why: string, causes?: StatusCause[]) =>
  new KubeError(403, 'Forbidden', `${qualified(about)}${name ? ` ${JSON.stringify(name)}` : ''} is forbidden: ${why}`, {
    ...detailsOf(about, name),
    ...(causes ? { causes } : {}),
  })

export const badRequest = (message: string) => new KubeError(400, 'BadRequest', message)

export const unauthorized = () => new KubeError(401, 'Unauthorized', 'Unauthorized')

/** A version that has not been written yet; real servers wait for it a little. */
export const versionTooLarge = (version: string, current: string) =>
  new KubeError(504, 'Timeout', `Timeout: Too large resource version: ${version}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })

export const expired = (message: string) => new KubeError(410, 'Expired', message)

export const methodNotAllowed = (about: Subject, action: string) =>
  new KubeError(
    405,
    'MethodNotAllowed',
    `${action} is not supported on resources of kind ${JSON.stringify(qualified(about))}`,
    detailsOf(about),
  )

export const wrongMethod = () =>
  new KubeError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})

export const tooManyRequests = (message: string, retryAfterSeconds: number, causes?: StatusCause[]) =>
  new KubeError(429, 'TooManyRequests', message, { retryAfterSeconds, ...(causes ? { causes } : {}) })

export const serviceUnavailable = (message: string) => new KubeError(503, 'ServiceUnavailable', message)

export const tooLarge = (message: string) => new KubeError(413, 'RequestEntityTooLarge', message)

export const unsupportedMediaType = (message: string) => new KubeError(415, 'UnsupportedMediaType', message)

export const notAcceptable = (message: string) => new KubeError(406, 'NotAcceptable', message)

export const internalError = (why: string) =>
  new KubeError(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] })
