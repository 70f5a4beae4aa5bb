import { tagHue } from '../marks/derived-color.ts'
import styles from './tag.module.css'

/** A tag; its colour comes from its text. With `onRemove` a click takes it away. */
export function Tag({ text, onRemove }: { text: string; onRemove?: () => void }) {
  const style = { '--hue': tagHue(text) } as React.CSSProperties
  if (onRemove === undefined) {
    return (
      <bdi className={styles.tag} style={style}>
        {text}
      </bdi>
    )
  }
  return (
    <button type="button" className={styles.tag} style={style} onClick={onRemove} aria-label={`Remove tag ${text}`}>
      <bdi>{text}</bdi>
      <span aria-hidden="true">×</span>
    </button>
  )
}

/** Tags in one line; what does not fit is counted, and named in the tooltip. */
export function TagList({ tags, show = 3 }: { tags: readonly string[]; show?: number }) {
  const rest = tags.slice(show)
  return (
    <span className={styles.list}>
      {tags.slice(0, show).map((tag) => (
        <Tag key={tag} text={tag} />
      ))}
      {rest.length > 0 && (
        <span className={styles.more} dir="ltr" title={rest.join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  )
}
