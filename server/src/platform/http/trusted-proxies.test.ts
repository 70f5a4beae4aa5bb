import { describe, expect, test } from 'vitest'
import { clientAddress, isNetwork, trustedProxies } from './trusted-proxies.ts'

const isTrusted = trustedProxies(['10.0.0.0/8', 'fd00::/8', '192.0.2.7'])

test.each([
  ['a stranger is who they are, whatever they say', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['this machine is not trusted unless it is named', '127.0.0.1', '1.2.3.4', '127.0.0.1'],
  ['a proxy in a trusted network is believed', '10.4.0.1', '203.0.113.9', '203.0.113.9'],
  ['in IPv6 clothes as well', '::ffff:10.4.0.1', '203.0.113.9', '203.0.113.9'],
  ['of a chain the nearest stranger counts', '192.0.2.7', '1.2.3.4, 203.0.113.9, fd00::1', '203.0.113.9'],
  ['what is no address is not believed', '10.0.0.1', 'nonsense', '10.0.0.1'],
  ['without a header the peer counts', '10.0.0.1', undefined, '10.0.0.1'],
])('%s', (_, peer, forwarded, expected) => expect(clientAddress(peer, forwarded, isTrusted)).toBe(expected))

describe('what a setting may name', () => {
  test.each(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])('%s', (text) => expect(isNetwork(text)).toBe(true))
  test.each(['', 'proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x', 'fd00::/129'])('not %s', (text) =>
    expect(isNetwork(text)).toBe(false),
  )
})
