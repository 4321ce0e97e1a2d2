"""Records: the best results and who found them."""
