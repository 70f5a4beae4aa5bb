import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, readClientAddress } from './client-address.ts'

const addressOf = (remoteAddress: string, forwarded?: string) => {
  const headers = { ...(forwarded ? { 'x-forwarded-for': forwarded } : {}), 'impersonate-user': 'admin' }
  const req = { socket: { remoteAddress }, headers } as unknown as IncomingMessage
  readClientAddress(req)
  expect(Object.keys(req.headers)).toEqual([])
  return clientAddress(req)
}

test.each([
  ['a stranger is who they are, whatever they say', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['the portal on this machine is believed', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['in IPv6 clothes as well', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['of a chain the nearest stranger counts', '127.0.0.1', '1.2.3.4, 203.0.113.9, ::1', '203.0.113.9'],
  ['what is no address is not believed', '127.0.0.1', 'nonsense', '127.0.0.1'],
  ['without a header the peer counts', '127.0.0.1', undefined, '127.0.0.1'],
])('%s', (_, peer, forwarded, expected) => expect(addressOf(peer, forwarded)).toBe(expected))
