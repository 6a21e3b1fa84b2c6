"""Carriers: how mails come to a host and how its letters leave it. Maildir, IMAP, SMTP, LMTP, and a pipe."""
