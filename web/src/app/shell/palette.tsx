import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import '../../ui/theme/mantine.css'
import styles from './palette.module.css'
import { type Jump, usePaletteResults } from './use-palette-results.ts'

const typingPauseMs = 120

/** Jumps to a page, a space, an app, a catalog item or a cluster by typing a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text, typingPauseMs)
  const navigate = useNavigate()
  const { groups, failed, busy } = usePaletteResults(searched)
  const go = (jump: Jump) => {
    onClose()
    void navigate({ to: jump.to as '/apps' })
  }
  return (
    <Spotlight.Root
      forceOpened
      onSpotlightClose={onClose}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      scrollable
      maxHeight={420}
      aria-label="Search or jump to"
    >
      <Spotlight.Search
        aria-label="Search or jump to"
        placeholder="Search or jump to"
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ title, jumps }) => (
          <Spotlight.ActionsGroup key={title} label={title}>
            {jumps.map((jump) => (
              <Spotlight.Action key={jump.to} onClick={() => go(jump)}>
                <span className={styles.jump}>
                  <bdi>{jump.name}</bdi>
                  {jump.detail !== '' && <bdi className={styles.detail}>{jump.detail}</bdi>}
                </span>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{busy ? 'Loading' : 'No Match Found!'}</Spotlight.Empty>}
        {failed.length > 0 && <p className={styles.failed}>Could not be searched: {failed.join(', ')}</p>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
