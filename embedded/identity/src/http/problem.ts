/** A refusal as Keycloak writes it: either `errorMessage` (the Admin API's own) or `error` (protocol and lookups). */
export class Problem extends Error {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(String(body.errorMessage ?? body.error_description ?? body.error ?? status))
    this.status = status
    this.body = body
  }
}

export const notFound = (what: string) => new Problem(404, { error: `${what} not found` })
export const conflict = (message: string) => new Problem(409, { errorMessage: message })
export const badRequest = (message: string) => new Problem(400, { errorMessage: message })
export const forbidden = () => new Problem(403, { error: 'HTTP 403 Forbidden' })
export const unauthorized = () => new Problem(401, { error: 'HTTP 401 Unauthorized' })
