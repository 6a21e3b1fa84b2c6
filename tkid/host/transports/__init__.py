"""How mails reach a host and letters leave it: IMAP, SMTP, LMTP, Maildir, pipe."""
