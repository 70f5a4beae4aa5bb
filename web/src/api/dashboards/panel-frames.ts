import { dashboardQuery, type PanelFrame } from '@quayside/contract/dashboards/query'
import type { Panel } from '@quayside/contract/dashboards/spec'
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { stream } from '../client.ts'

export type Frames = Readonly<Record<string, PanelFrame>>

/** Panels to be answered: those of a saved dashboard, or panels that are being edited. */
type AskedPanels = { dashboardId: string; revision: number; panels: string[] } | { preview: Record<string, Panel> }

/** State of the frames as a whole: `busy` has those of another question, `stale` those from before a failure. */
export type FrameState = 'current' | 'busy' | 'stale' | 'failed'

export function frameStateOf({ data, error, isPlaceholderData }: UseQueryResult<Frames>): FrameState {
  if (isPlaceholderData) return 'busy'
  if (error === null) return 'current'
  return data === undefined ? 'failed' : 'stale'
}

/** Panels that the server answers, without their names, which change no answer. A text is in the document itself. */
export function dataPanels(panels: Readonly<Record<string, Panel>>): Record<string, Panel> {
  const asked = Object.entries(panels).filter(([, { spec }]) => spec.plugin.kind !== 'Markdown')
  return Object.fromEntries(
    asked.map(([key, { spec }]) => [key, { kind: 'Panel', spec: { display: { name: '' }, plugin: spec.plugin } }]),
  )
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    const lines = (rest + part.value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Answers of all panels by one request; each is there as soon as it has come. */
export function usePanelFrames(asked: AskedPanels, rangeSeconds: number, refreshSeconds: number) {
  const { api } = usePortal()
  const queries = useQueryClient()
  const queryKey = ['panel frames', asked, rangeSeconds]
  const isEmpty = 'preview' in asked ? Object.keys(asked.preview).length === 0 : asked.panels.length === 0
  return useQuery<Frames>({
    queryKey,
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
    refetchInterval: refreshSeconds > 0 && refreshSeconds * 1000,
    queryFn: async ({ signal }) => {
      const now = Date.now()
      const range = { from: new Date(now - rangeSeconds * 1000).toISOString(), to: new Date(now).toISOString() }
      const body =
        'preview' in asked ? { ...asked, range } : { dashboardId: asked.dashboardId, panels: asked.panels, range }
      const response = await stream(api, dashboardQuery.queryPanels, { body, signal })
      let frames: Frames = queries.getQueryData<Frames>(queryKey) ?? {}
      for await (const line of linesOf(response)) {
        if (line === '') continue
        const frame = JSON.parse(line) as PanelFrame
        frames = { ...frames, [frame.key]: frame }
        queries.setQueryData(queryKey, frames)
      }
      return frames
    },
  })
}
