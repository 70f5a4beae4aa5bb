import { describe, expect, it } from 'vitest'
import { isAllowedAddress, isPublicAddress, PrivateAddressError, refusePrivateHost } from './address-guard.ts'

describe('a public address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'is %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
  it.each([
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2001:0:1::',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    'nonsense',
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
  it('is looked for behind names and numbers in any writing', async () => {
    for (const written of ['localhost', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]']) {
      await expect(refusePrivateHost(new URL(`https://${written}`).hostname)).rejects.toThrow(PrivateAddressError)
    }
  })
})

describe('an address that is allowed', () => {
  const allowed = ['127.0.0.1:6443', '[::1]:6443', 'inside.example:443']
  it.each(['https://127.0.0.1:6443', 'https://[::1]:6443/base', 'https://INSIDE.example'])('is %s', (address) => {
    expect(isAllowedAddress(address, allowed)).toBe(true)
  })
  it.each([
    'https://127.0.0.1:6444',
    'https://127.0.0.1',
    'https://localhost:6443',
    'https://127.0.0.1.example:6443',
    'https://127.0.0.2:6443',
    'https://inside.example:6443',
  ])('is not %s', (address) => {
    expect(isAllowedAddress(address, allowed)).toBe(false)
  })
})
