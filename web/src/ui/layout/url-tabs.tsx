import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUrlState } from '../../lib/url-state.ts'
import { PageHeader } from './page-header.tsx'
import { TabList } from './tab-list.tsx'

export interface UrlTab {
  /** The name in the address; an address without one opens the first tab. */
  value: string
  title: string
  /** Above a panel that has no header of its own. */
  heading?: string
  panel: ReactNode
}

interface Props {
  label?: string
  tabs: readonly UrlTab[]
  /** Parts of the address, beside the tab, that hold for all tabs; a search or sort belongs to its own tab. */
  keeps?: readonly string[]
}

/** The tab that the address names, or the first one. */
export function openTab<T extends Pick<UrlTab, 'value'>>(tabs: readonly T[], named: string | undefined): T | undefined {
  return tabs.find(({ value }) => value === named) ?? tabs[0]
}

/** Tabs of a page. The address names the one that is open, so that a link or a reload comes back to it. */
export function UrlTabs({ label, tabs, keeps = [] }: Props) {
  const [state, setUrl] = useUrlState()
  const current = openTab(tabs, state.tab)?.value
  const open = (next: string | null) => {
    const left = Object.keys(state).filter((key) => !keeps.includes(key))
    setUrl({ ...Object.fromEntries(left.map((key) => [key, ''])), tab: next === tabs[0]?.value ? '' : (next ?? '') })
  }
  return (
    <Tabs value={current} onChange={open} keepMounted={false}>
      <TabList value={current} label={label}>
        {tabs.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value}>
            {title}
          </Tabs.Tab>
        ))}
      </TabList>
      {tabs.map(({ value, heading, panel }) => (
        <Tabs.Panel key={value} value={value}>
          {heading !== undefined && <PageHeader title={heading} />}
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
