import { expect, test } from 'vitest'
import { countedAddress } from './counted-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:7::1', '2001:db8:0:7::'],
  ['2001:DB8:0:7:aaaa:bbbb:cccc:dddd', '2001:db8:0:7::'],
  ['2001:db8:0:8::1', '2001:db8:0:8::'],
  ['fe80::1%eth0', 'fe80::'],
  ['::1', '::'],
  ['unknown', 'unknown'],
])('attempts from %s are counted under %s', (ip, key) => {
  expect(countedAddress(ip)).toBe(key)
})
