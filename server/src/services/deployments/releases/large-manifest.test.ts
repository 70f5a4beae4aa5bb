import { expect, test } from 'vitest'
import { ManifestUnreadableError, readManifest } from '../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import { heldLoop } from '../testing/held-loop.ts'

const env = Array.from(
  { length: 60 },
  (_, at) => `            - name: NAME_${at}\n              value: text ${at}\n`,
).join('')
const object = (at: number) => `---
# Source: web/templates/all.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-${at}
spec:
  template:
    spec:
      containers:
        - name: web
          env:
${env}`
const manifestOf = (length: number) => Array.from({ length }, (_, at) => object(at)).join('')

test('a large manifest is read beside the event loop', { timeout: 60_000 }, async () => {
  const manifest = manifestOf(400)
  expect(manifest.length).toBeGreaterThan(1_000_000)
  const took: number[] = []
  const longest = await heldLoop(async () => {
    const start = performance.now()
    const objects = await readManifestInWorker(manifest)
    expect(objects).toHaveLength(400)
    took.push(performance.now() - start)
  })
  // Here it would have held everything for all of that time.
  expect(longest).toBeLessThan((took[0] ?? 0) / 3)
})

test('what is read there is what is read here', async () => {
  const manifest = `${manifestOf(40)}---\n{broken\napiVersion: v1\nkind: Secret\nmetadata:\n  name: odd\n---\nkind: List\nitems: [{a: &x [1, 2.5], b: *x}]\n`
  expect(manifest.length).toBeGreaterThan(64 * 1024)
  const [there, here] = [await readManifestInWorker(manifest), readManifest(manifest)]
  expect(there.map((each) => ({ ...each }))).toEqual(here)
  expect(here).toHaveLength(42)
})

test('what cannot be read there is refused as it is here, and the next is read', async () => {
  await expect(readManifestInWorker(`${manifestOf(40)}---\na: [1\n`)).rejects.toBeInstanceOf(ManifestUnreadableError)
  // Ten lines of anchors that are an enormous object.
  const wide = `a: &a "${'x'.repeat(900_000)}"\n${Array.from({ length: 90 }, (_, at) => `b${at}: *a\n`).join('')}`
  await expect(readManifestInWorker(wide)).rejects.toThrow('larger than 64 MiB')
  expect(await readManifestInWorker(manifestOf(40))).toHaveLength(40)
})
