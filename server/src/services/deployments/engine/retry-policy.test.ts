import { expect, test } from 'vitest'
import { fail } from '../../../platform/http/errors.ts'
import { isApiUnavailable, isAway } from './retry-policy.ts'

const unreachable = 'UPGRADE FAILED: kubernetes cluster unreachable:'

test.each([
  `${unreachable} Get "https://10.0.0.1:6443/version": dial tcp 10.0.0.1:6443: connect: connection refused`,
  `${unreachable} Get "https://10.0.0.1:6443/version": read tcp 10.0.0.2:5->10.0.0.1:6443: read: connection reset by peer`,
  `${unreachable} Get "https://10.0.0.1:6443/version": EOF`,
  `${unreachable} Get "https://10.0.0.1:6443/version": net/http: TLS handshake timeout`,
  `${unreachable} the server is currently unable to handle the request`,
  `${unreachable} the server has received too many requests and has asked us to try again later`,
  'INSTALLATION FAILED: create: failed to create: Post "https://c/api/v1/namespaces/n/secrets": EOF',
  'query: failed to query with labels: Too many requests, please try again later. (get secrets)',
])('Helm was turned away: %s', (said) => {
  expect(isApiUnavailable(said)).toBe(true)
})

test.each([
  null,
  `${unreachable} the server has asked for the client to provide credentials`,
  `${unreachable} Get "https://c/version": tls: failed to verify certificate: x509: certificate has expired`,
  'UPGRADE FAILED: an error on the server ("no") has prevented the request from succeeding',
  'UPGRADE FAILED: error converting YAML to JSON: unexpected EOF',
  'execution error at (web/templates/a.yaml:1:2): the database said: connection refused',
  'UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress',
])('Helm was let in: %s', (said) => {
  expect(isApiUnavailable(said)).toBe(false)
})

test('a cluster that does not answer or is too busy is away, one that refuses is not', () => {
  const refused = (status: number) => fail('cluster.refused', { details: { status } })
  expect([fail('cluster.unreachable'), refused(429), refused(503)].map(isAway)).toEqual([true, true, true])
  expect([refused(403), refused(500), fail('app.not-found'), new Error('x')].map(isAway)).toEqual(Array(4).fill(false))
})
