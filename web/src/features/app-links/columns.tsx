import type { AppLink } from '@quayside/contract/app-links/endpoints'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { actorName } from '../../lib/actor-name.ts'
import { Tooltip } from '../../ui/layout/tooltip.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { TagList } from '../../ui/lists/tag.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './app-links.module.css'

export const columns: readonly ServerColumn<AppLink>[] = [
  { key: 'name', title: 'Name', cell: (link) => <LinkName link={link} /> },
  {
    key: 'description',
    title: 'Description',
    long: true,
    cell: ({ description }) => <Description text={description} />,
  },
  { key: 'tags', title: 'Tags', cell: ({ tags }) => <TagList tags={tags} show={2} /> },
  {
    key: 'updatedAt',
    title: 'Changed',
    cell: ({ updatedAt, updatedBy }) => (
      <span className={styles.changed}>
        <RelativeTime at={updatedAt} />
        <bdi className={styles.by} title={actorName(updatedBy)}>
          {actorName(updatedBy)}
        </bdi>
      </span>
    ),
  },
]

/** The longest part of an address in a tooltip, in characters: more of it would leave the window. */
const longestInTip = 400

/** The name opens the address in a new tab, which gets no way back to this one. */
function LinkName({ link: { name, url, color } }: { link: AppLink }) {
  return (
    <NameCell
      mark={<Avatar name={name} color={color ?? undefined} />}
      below={
        <span className={styles.url} title={url}>
          {url}
        </span>
      }
    >
      <Tooltip title={name} text={url.length > longestInTip ? `${url.slice(0, longestInTip)}…` : url}>
        <a href={url} target="_blank" rel="noopener noreferrer" className={styles.link}>
          <span className={styles.name}>{name}</span>
          <IconExternalLink size={14} stroke={1.75} aria-hidden className={styles.out} />
          <span className="unseen"> opens in a new tab</span>
        </a>
      </Tooltip>
    </NameCell>
  )
}

function Description({ text }: { text: string }) {
  if (text === '') return null
  return (
    <Tooltip text={text}>
      <bdi className={styles.description}>{text}</bdi>
    </Tooltip>
  )
}
