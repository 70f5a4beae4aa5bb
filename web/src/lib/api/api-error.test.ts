import { statusMessage } from '@quayside/contract/http/errors'
import { describe, expect, it } from 'vitest'
import { ApiError, errorKind, errorTooltip, explainError } from './api-error.ts'

describe('errors', () => {
  it.each([
    [0, 'Could not reach the requested service.'],
    [400, 'Bad Server Request'],
    [401, 'Unauthorized'],
    [403, 'Insufficient Permissions'],
    [404, 'Resources Not Found'],
    [429, 'The portal is busy'],
    [500, 'Internal Server Error'],
    [502, 'Bad Gateway'],
    [503, 'Service Temporary Unavailable'],
    [504, 'Gateway Timeout'],
    [418, 'Something went wrong'],
  ])('%i is "%s"', (status, text) => {
    expect(statusMessage(status)).toBe(text)
  })

  it('sorts by connection first, then by status', () => {
    expect(explainError(new ApiError(500, 'x'), false).kind).toBe(errorKind.NoInternet)
    expect(explainError(new ApiError(0, 'x'), true).kind).toBe(errorKind.NoServerConnection)
    expect(explainError(new ApiError(404, 'x'), true).kind).toBe(errorKind.Api)
    expect(explainError(new TypeError('x'), true).kind).toBe(errorKind.Code)
    expect(explainError('boom', true)).toMatchObject({
      kind: errorKind.Unknown,
      status: 10000,
      title: 'Unknown Error',
      message: 'Caught unkown error',
    })
  })

  it('a part of the pages that cannot be fetched is a server that cannot be reached', () => {
    const error = new TypeError('Failed to fetch dynamically imported module: /en/assets/page.js')
    expect(explainError(error, true)).toMatchObject({ status: 0, title: 'Could not reach the requested service.' })
    expect(explainError(error, false)).toMatchObject({ kind: errorKind.NoInternet, message: 'You are offline.' })
  })

  it('writes the tooltip, or the plain sentence when there is nothing more to say', () => {
    const error = new ApiError(409, 'name is taken', { statusText: 'Conflict' })
    expect(errorTooltip(error)).toBe('409 Conflict: name is taken')
    const plain = 'An error has occurred. Please contact our technical support.'
    expect(errorTooltip(new ApiError(409, 'Conflict', { statusText: 'Conflict' }))).toBe(plain)
    expect(errorTooltip(undefined)).toBe(plain)
  })
})
