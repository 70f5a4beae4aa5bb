import { expect, test } from 'vitest'
import { unprivileged } from './account.ts'

const passwd = (...lines: string[]) => ['root:x:0:0:root:/root:/bin/bash', ...lines, ''].join('\n')
const nobody = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin'

test('prefers the account that is made for it', () => {
  expect(unprivileged(passwd(nobody, 'postgres:x:101:104::/var/lib/postgresql:/bin/bash'))).toEqual({
    uid: 101,
    gid: 104,
  })
})

test('nobody is next, then whoever there is', () => {
  expect(unprivileged(passwd('daemon:x:1:1::/:', nobody))).toEqual({ uid: 65534, gid: 65534 })
  expect(unprivileged(passwd('node:x:1000:1000::/home/node:/bin/bash'))).toEqual({ uid: 1000, gid: 1000 })
})

test('root alone cannot lend an account', () => {
  expect(unprivileged(passwd())).toBeUndefined()
  expect(unprivileged('broken line\n')).toBeUndefined()
})
