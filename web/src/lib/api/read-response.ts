import { ApiError } from './api-error.ts'

interface ErrorBody {
  message?: unknown
  code?: unknown
  field?: unknown
  requestId?: unknown
  error?: { message?: unknown; code?: unknown; field?: unknown }
  innerException?: unknown
}

/** Turns an answer into its value, or throws it as an ApiError; an `innerException` in any body is an error (7.1). */
export async function readResponse<T>(response: Response): Promise<T> {
  const text = await response.text()
  const body = parseBody(text, response.headers.get('content-type') ?? '')
  if (!response.ok || hasInnerException(body)) throw errorFrom(response, body)
  return body as T
}

function parseBody(text: string, contentType: string): unknown {
  if (text === '') return undefined
  if (!contentType.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    // A broken JSON answer is shown as it came: its first words usually say what went wrong.
    return text
  }
}

function hasInnerException(body: unknown): boolean {
  return typeof body === 'object' && body !== null && (body as ErrorBody).innerException != null
}

function errorFrom(response: Response, body: unknown): ApiError {
  const facts: ErrorBody = typeof body === 'object' && body !== null ? body : { message: body }
  const inner = typeof facts.error === 'object' ? facts.error : undefined
  const word = (...candidates: unknown[]) =>
    candidates.find((value): value is string => typeof value === 'string' && value !== '')
  return new ApiError(response.status, word(inner?.message, facts.message) ?? response.statusText, {
    statusText: response.statusText,
    code: word(inner?.code, facts.code),
    field: word(inner?.field, facts.field),
    requestId: word(facts.requestId, response.headers.get('x-request-id')),
    details: body,
  })
}
