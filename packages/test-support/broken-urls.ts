/** URLs that no browser opens, or that `URL` reads as something else, for options. The password of one is `lantern`. */
export const brokenUrls: readonly string[] = [
  ...['https://*.example.org', 'https://*', 'http://localhost:*', 'https://exa mple', 'https://exa%20mple'],
  ...['https://-', 'https://-a.example', 'https://a-.example', 'https://my_host.example', 'https://.'],
  ...['https://example.org.', 'https://.example.org', 'https://a..example', 'https://', 'https:///'],
  ...['https://example.org:65536', 'https://example.org:0', 'https://example.org:x', 'https://1.2.3.256'],
  ...['https://ada:lantern@example.org', 'https://@example.org', 'https:example.org', 'https:/example.org'],
  ...['https://exam\nple.org', ' https://example.org', 'https:\\\\example.org'],
  ...[`https://${'a'.repeat(64)}.org`, `https://${'a.'.repeat(127)}org`],
  ...['ftp://example.org', 'javascript:alert(1)', 'example.org', '//example.org', '*', 'null'],
]
