import { expect, it } from 'vitest'
import { isAddress } from './mail-server.ts'

it.each(['ada@demo.example', 'ada.l+tag@mail.demo.example', 'zoë@müller.example', '工@例.example'])(
  'takes %s as an address',
  (address) => expect(isAddress(address)).toBe(true),
)

it.each([
  'ada',
  'a@b@c',
  'ada@demo.example\r\nBcc: all@demo.example',
  'ada\0@demo.example',
  'ada@demo.example\u0007',
  'ada\u007f@demo.example',
  'ada\u0085@demo.example',
  'ada\u202e@demo.example',
  'ada\u200b@demo.example',
  'ada\ud800@demo.example',
])('takes %j as none', (address) => expect(isAddress(address)).toBe(false))
