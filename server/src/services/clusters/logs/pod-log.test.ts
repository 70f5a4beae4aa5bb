import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { ClusterConnection } from '../../../adapters/kubernetes/kubernetes.ts'
import { openPodLog } from './pod-log.ts'

const hide = (said: string) => said.replaceAll('hunter2-secret', '••••••••')

async function readLog(...chunks: string[]): Promise<string> {
  const podLog = async () =>
    new ReadableStream<Uint8Array>({
      start(log) {
        for (const chunk of chunks) log.enqueue(Buffer.from(chunk))
        log.close()
      },
    })
  const connection = { podLog } as unknown as ClusterConnection
  const options = { follow: false, previous: false, timestamps: false, tailLines: 10, hide }
  return text(await openPodLog(connection, 'shop', 'web', options, new AbortController().signal))
}

it('hides in whole lines, also what comes in two pieces', async () => {
  expect(await readLog('the code is hunter2-', 'secret\nand more\n')).toBe('the code is ••••••••\nand more\n')
  expect(await readLog('no line end: hunter2-secret')).toBe('no line end: ••••••••')
})

it('hides in a line that does not end, wherever it is cut', async () => {
  for (const before of [32 * 1024 - 7, 36 * 1024 - 5, 28 * 1024, 40 * 1024]) {
    const line = 'x'.repeat(before)
    const shown = await readLog(line, 'hunter2-secret', 'y'.repeat(70_000), '\n')
    expect(shown).toBe(`${line}••••••••${'y'.repeat(70_000)}\n`)
  }
})
