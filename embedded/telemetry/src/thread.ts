import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { createRoutes } from './http/routes.ts'
import { createHttpServer } from './http/server.ts'
import { openOrReplace } from './storage/open-or-replace.ts'
import type { ThreadOptions } from './telemetry.ts'

const { file, port, token, limits, query } = workerData as ThreadOptions
const PRUNE_MS = 60_000

const store = openOrReplace(file, limits)
const server = createHttpServer(token, createRoutes(store, query))
const pruning = setInterval(() => store.prune(Date.now()), PRUNE_MS)

store.prune(Date.now())
server.listen(port, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
parentPort?.once('message', () => {
  clearInterval(pruning)
  server.closeAllConnections()
  server.close(() => {
    store.close()
    parentPort?.close()
  })
})
