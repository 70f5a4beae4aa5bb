import type { Page } from '@playwright/test'
import type { World } from '@quayside/embedded/world'
import { chartPackage } from './packages.ts'
import type { Script } from './script.ts'

/** The value of the masked field `code`; no page may show it. */
export const secret = 'the-safe-is-behind-the-clock'

const first = `# What the sign says
title: A till
# How many customers may queue
queue: 4
paper:
  width: 58mm
# Who opens the till
# @MASKED
code: ""
`
const second = first
  .replace('title: A till', 'title: A till, second edition')
  .replace('queue: 4', 'queue: 6')
  .replace('58mm', '80mm')
  .concat('# Since 2.0.0\nreceipts: true\n')
const own = (yaml: string) =>
  yaml
    .replace('title: A till', 'title: Corner shop # the family chose it')
    .replace('width: 58mm', 'width: 57mm')
    .replace('code: ""', `code: ${secret}`)

const templates = {
  'templates/secret.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Release.Name }}\nstringData:\n  code: {{ .Values.code | quote }}\n',
  'templates/paper.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-paper\ndata:\n  width: {{ .Values.paper.width | quote }}\n  queue: {{ .Values.queue | quote }}\n',
}

/** A chart in two versions, and an app of the first one whose people changed what the second one changed as well. */
export async function deployTill(world: World, script: Script, name: string) {
  const item = name.toLowerCase().replaceAll(' ', '-')
  const upload = async (version: string, values: string, more: object) => {
    const bytes = await chartPackage({ name: item, version, values, files: templates, ...more })
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)]), `${item}-${version}.tgz`)
    const token = await script.token()
    const answer = await world.api('/catalog/v1/upload/uploadasync', { token, body: form })
    if (!answer.ok) throw new Error(await answer.text())
  }
  await upload('1.0.0', first, { readme: '# First\n' })
  const chart = { appVersion: '2.0', kubeVersion: '>=1.28.0-0' }
  await upload('2.0.0', second, { readme: '# Till, second edition\n\nThe paper is wider now.\n', chart })
  return script.deploy({ chart: item, version: '1.0.0', name, values: own })
}

/** Collects everything that reaches the browser, to say afterwards whether a secret was in it. */
export function recordTraffic(page: Page): { contains(text: string): Promise<boolean> } {
  const heard: Promise<string>[] = []
  page.on('response', (response) => heard.push(response.text().catch(() => '')))
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => heard.push(Promise.resolve(String(payload)))),
  )
  return { contains: async (text) => (await Promise.all(heard)).some((each) => each.includes(text)) }
}
