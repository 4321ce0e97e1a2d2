"""The site as a whole: home page, addresses, files for crawlers."""
