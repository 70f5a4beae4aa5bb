import { Readable } from 'node:stream'
import type { PanelFrame, PanelQuery } from '@quayside/contract/dashboards/query'
import type { Panel } from '@quayside/contract/dashboards/spec'
import type { Actor } from '../../../platform/auth/actor.ts'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Find } from '../index.ts'
import type { DashboardStore } from '../store.ts'

type Frame = (actor: Actor, key: string, panel: Panel, range: PanelQuery['range']) => Promise<PanelFrame>
const panelsAtOnce = 6

/** Answers the panels of a query line by line, each as soon as it is ready; stops when nobody reads any more. */
export function createAnswer(store: Pick<DashboardStore, 'spec'>, find: Find, frame: Frame) {
  return async function answer(actor: Actor, query: PanelQuery): Promise<Readable> {
    const panels = 'preview' in query ? Object.entries(query.preview) : await saved(actor, query)
    const lines = new Readable({ read() {} })
    const run = mapLimit(panelsAtOnce, panels, async ([key, panel]) => {
      if (!lines.destroyed) lines.push(`${JSON.stringify(await frame(actor, key, panel, query.range))}\n`)
    })
    run.then(
      () => lines.push(null),
      (error: Error) => lines.destroy(error),
    )
    return lines
  }

  async function saved(actor: Actor, query: Extract<PanelQuery, { dashboardId: string }>): Promise<[string, Panel][]> {
    await find(actor, query.dashboardId, 'dashboard.view')
    const spec = await store.spec(actor, query.dashboardId)
    return [...new Set(query.panels)].map((key, at) => {
      const panel = spec && Object.hasOwn(spec.panels, key) ? spec.panels[key] : undefined
      const message = `panels.${at}: this dashboard has no such panel`
      if (!panel) throw fail('request.invalid', { field: `panels.${at}`, message })
      return [key, panel]
    })
  }
}
