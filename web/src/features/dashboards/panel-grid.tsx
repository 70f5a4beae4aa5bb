import type { DashboardSpec, Panel } from '@quayside/contract/dashboards/spec'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import { type CSSProperties, type ReactNode, useId, useState } from 'react'
import type { FrameState, Frames } from '../../api/dashboards/panel-frames.ts'
import { IconButton } from '../../ui/actions/button.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './dashboard.module.css'
import { type Item, keyOf } from './edit/grid.ts'
import { PanelContent } from './panels/panel-content.tsx'

interface Props {
  spec: DashboardSpec
  /** The document whose order the panels keep while one of them is dragged: a cell that is moved loses the pointer. */
  ordered?: DashboardSpec
  frames: Frames
  state?: FrameState
  /** Buttons of a panel that is being edited. */
  tools?: (key: string, panel: Panel, item: Item) => ReactNode
}

/** The items row by row, as they lie in these places. */
function inOrder(items: readonly Item[], places: readonly Item[]): Item[] {
  const keys = [...places].sort((a, b) => a.y - b.y || a.x - b.x).map(keyOf)
  return [...items].sort((a, b) => keys.indexOf(keyOf(a)) - keys.indexOf(keyOf(b)))
}

/** The grids of a dashboard with their panels; on a narrow screen one panel stands below the other. */
export function PanelGrid({ spec, ordered = spec, frames, state = 'current', tools }: Props) {
  return spec.layouts.map(({ spec: { display, items } }, at) => {
    const title = display?.title ?? ''
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: grids have no name of their own.
      <section key={at} className={styles.section}>
        {title !== '' && (
          <h2 className={styles.sectionTitle}>
            <bdi>{title}</bdi>
          </h2>
        )}
        <div className={styles.grid}>
          {inOrder(items, ordered.layouts[at]?.spec.items ?? items).map((item) => {
            const key = keyOf(item)
            const panel = spec.panels[key]
            return (
              panel !== undefined && (
                <div key={key} className={styles.cell} style={placeOf(item)} data-panel={key}>
                  <PanelFrameBox
                    panel={panel}
                    frame={frames[key]}
                    state={state}
                    tools={tools?.(key, panel, item)}
                    heading={title === '' ? 'h2' : 'h3'}
                  />
                </div>
              )
            )
          })}
        </div>
      </section>
    )
  })
}

function placeOf({ x, y, width, height }: Item): CSSProperties {
  return {
    '--column': `${x + 1} / span ${width}`,
    '--rows': `${y + 1} / span ${height}`,
    '--height': height,
  } as CSSProperties
}

const withTable: ReadonlySet<string> = new Set(['AppStates', 'Deployments', 'ClusterMap', 'SpaceQuota', 'Usage'])

interface BoxProps {
  panel: Panel
  frame: Frames[string] | undefined
  state?: FrameState
  tools?: ReactNode
  /** One below the heading that the panel stands under. */
  heading?: 'h2' | 'h3'
}

/** One panel with its name, and the choice between drawing and table where it has both. */
export function PanelFrameBox({ panel, frame, state = 'current', tools, heading: Heading = 'h3' }: BoxProps) {
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  const { display, plugin } = panel.spec
  const name = display.name || plugin.kind
  const scrollsItself = plugin.kind === 'Events' || asTable
  const isOld = plugin.kind !== 'Markdown' && frame !== undefined && (state === 'stale' || state === 'busy')
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.head}>
        <Heading id={id} className={styles.name} title={display.description}>
          <bdi>{name}</bdi>
        </Heading>
        {tools}
        {tools === undefined && withTable.has(plugin.kind) && frame?.status === 'ok' && (
          <IconButton
            icon={asTable ? IconChartBar : IconTable}
            size={16}
            label={asTable ? `Show ${name} as a drawing` : `Show ${name} as a table`}
            onClick={() => setAsTable(!asTable)}
          />
        )}
      </header>
      <div
        className={classNames(styles.body, isOld && styles.old)}
        tabIndex={scrollsItself ? undefined : 0}
        aria-busy={isOld && state === 'busy'}
      >
        <PanelContent
          panel={panel}
          frame={frame}
          isFailed={state === 'failed' || state === 'stale'}
          asTable={asTable}
        />
      </div>
      {isOld && state === 'stale' && frame?.status === 'ok' && (
        <p className={styles.asOf}>
          as of <RelativeTime at={frame.at} />
        </p>
      )}
    </section>
  )
}
