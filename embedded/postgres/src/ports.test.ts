import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { freePort, portProblem } from './ports.ts'

const host = '127.0.0.1'

it('a port that was given is reserved, and free to listen on', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => freePort(host)))
  expect(new Set(ports).size).toBe(200)
  const [port = 0] = ports
  expect(await portProblem(port, host)).toBeUndefined()
  const other = createSocket('udp4')
  other.bind({ port, address: host, exclusive: true })
  const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('EADDRINUSE')
  other.close()
})
